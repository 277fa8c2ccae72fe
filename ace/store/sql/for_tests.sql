-- Part: whether `tenant` files tests (`ace.types.tenants`). As in the index of test filings.
right(tenant, 5) = '~test'

-- One evaluation, as a client sees it.
-- Parameters: id uuid; tenant text, whose it must be.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'"
:EVALUATION_SHOWN WHERE e.id = :id AND e.tenant = :tenant;

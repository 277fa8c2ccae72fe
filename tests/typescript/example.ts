// How a program in TypeScript uses the API with types made from the OpenAPI document. The test
// tests/unit/client/test_typescript.py makes the types and compiles this file; nobody runs it.
import createClient from "openapi-fetch";

import type { components, paths } from "./api";

type Evaluation = components["schemas"]["EvaluationOut"];
type IsUnknown<T> = unknown extends T ? true : false;
type Body<P extends "/v1/filings" | "/v1/check" | "/v1/filings/bulk"> = NonNullable<
  paths[P]["post"]["requestBody"]
>["content"];

// A document that does not say what an upload is gives `unknown`, and then these lines do not compile.
const filingsAreTyped: IsUnknown<Body<"/v1/filings">["text/plain"]> = false;
const xmlIsTyped: IsUnknown<Body<"/v1/filings">["application/xml"]> = false;
const docxIsTyped: IsUnknown<
  Body<"/v1/check">["application/vnd.openxmlformats-officedocument.wordprocessingml.document"]
> = false;
const linesAreTyped: IsUnknown<Body<"/v1/filings/bulk">["application/x-ndjson"]> = false;
const jsonIsTyped: IsUnknown<Body<"/v1/check">["application/json"]> = false;
export const typed = [filingsAreTyped, xmlIsTyped, docxIsTyped, linesAreTyped, jsonIsTyped];

const api = createClient<paths>({ baseUrl: "http://127.0.0.1:8000", headers: { Authorization: "Bearer ace_…" } });

export async function submit(): Promise<string> {
  const { data, error } = await api.POST("/v1/filings", {
    body: { docket: "2026-0117", claims: "1. A bracket comprising a plate.", priority: 5 },
    params: { header: { "Idempotency-Key": "2026-0117-first" } },
  });
  if (error) throw new Error(`${error.title}: ${error.detail}`);
  return data.filing;
}

export async function failed(docket: string): Promise<Evaluation[]> {
  const found: Evaluation[] = [];
  let cursor: string | undefined;
  do {
    const { data, error } = await api.GET("/v1/evaluations", {
      params: { query: { docket, verdict: "Fail", error_class: "antecedent", limit: 200, cursor } },
    });
    if (error) throw new Error(error.detail);
    found.push(...data.evaluations);
    cursor = data.next ?? undefined;
  } while (cursor);
  return found;
}

export async function settled(id: string): Promise<boolean> {
  const { data } = await api.GET("/v1/filings/{id}", {
    params: { path: { id }, header: { Prefer: "wait=30" } },
  });
  // @ts-expect-error  a state is one of seven words
  const lost: boolean = data?.evaluations[0]?.state === "lost";
  // @ts-expect-error  and a verdict one of two
  await api.GET("/v1/evaluations", { params: { query: { verdict: "Maybe" } } });
  return (data?.settled ?? false) && !lost;
}

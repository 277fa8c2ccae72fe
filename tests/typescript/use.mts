// A program in TypeScript that files a claim set, waits for it, and prints what it got as JSON:
// `node use.mjs URL KEY BASE64`, where BASE64 is a DOCX. tests/integration/api/test_api_generated.py compiles
// and runs it.
import createClient from "openapi-fetch";

import type { components, paths } from "./api";

type Problem = components["schemas"]["Problem"];

declare const process: { argv: string[] };

const [url, key, file] = process.argv.slice(2) as [string, string, string];
const api = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });

async function told(): Promise<Record<string, unknown>> {
  const filed = await api.POST("/v1/filings", {
    body: { docket: "P-1", claims: "1. A bracket comprising a plate.", priority: 3 },
    params: { header: { "Idempotency-Key": "first" } },
  });
  if (filed.error) throw new Error(filed.error.detail);
  const settled = await api.GET("/v1/filings/{id}", {
    params: { path: { id: filed.data.filing }, header: { Prefer: "wait=30" } },
  });
  if (settled.error) throw new Error(settled.error.detail);

  const refused = await api.POST("/v1/filings", {
    body: { docket: "P-1", claims: "1. A hook.\n1. A plate.", priority: 5 },
  });
  const problem: Problem | undefined = refused.error;
  const missing = await api.GET("/v1/filings/{id}", {
    params: { path: { id: "00000000-0000-0000-0000-000000000000" } },
  });
  const unknown: Problem | undefined = missing.error;

  const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const content = new Blob([Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0))]);
  const kept = await api.POST("/v1/filings", {
    params: { query: { docket: "P-2" } },
    body: "",
    bodySerializer: () => content,
    headers: { "Content-Type": docx },
  });
  const upload = await api.POST("/v1/filings/bulk", {
    body: `${JSON.stringify({ docket: "P-3", claims: "A hook." })}\nnonsense`,
    bodySerializer: (lines) => lines,
    headers: { "Content-Type": "application/x-ndjson" },
    parseAs: "text",
  });
  return {
    settled: [settled.data.docket, settled.data.settled, settled.data.evaluations[0]?.verdict],
    refused: [problem?.type, problem?.status, problem?.errors?.[0]?.pointer, problem?.errors?.[0]?.code],
    unknown: [unknown?.type, unknown?.title, unknown?.status, unknown?.errors ?? null],
    document: kept.data?.evaluations.map((one) => one.claim),
    lines: `${upload.data}`.trim().split("\n").map((line) => JSON.parse(line).status),
  };
}

told().then((found) => console.log(JSON.stringify(found)));

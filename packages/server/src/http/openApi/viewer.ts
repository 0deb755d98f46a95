import type { OpenApiDocument, OpenApiOperation } from './openApi.ts';

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
nav a { display: inline-block; margin: 0 .75rem .25rem 0; }
summary { cursor: pointer; padding: .3rem 0; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; }
b.method { display: inline-block; width: 4.5rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top; }
`;

/** The document as one page to read: no script, nothing loaded from anywhere. */
export function viewApi(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const calls = own.map(({ path, method, operation }) => viewOperation(path, method, operation));
    return `<section id="${asHtml(name)}"><h2>${asHtml(name)}</h2>${calls.join('')}</section>`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${asHtml(name)}"><summary><code>${asHtml(name)}</code></summary>${json(schema)}</details>`,
  );
  const links = document.tags.map(({ name }) => `<a href="#${asHtml(name)}">${asHtml(name)}</a>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${asHtml(document.info.title)} API</title><style>${style}</style></head><body>
<h1>${asHtml(document.info.title)} API ${asHtml(document.info.version)}</h1>
<p>${asHtml(document.info.description)} As OpenAPI 3.1:
<a href="/swagger/openapi.json">openapi.json</a>, <a href="/swagger/openapi.yml">openapi.yml</a>.</p>
<nav>${links.join('')}<a href="#schemas">schemas</a></nav>
${sections.join('\n')}
<section id="schemas"><h2>schemas</h2>${schemas.join('')}</section>
</body></html>
`;
}

function viewOperation(path: string, method: string, operation: OpenApiOperation): string {
  const rows = operation.parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${asHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td><code>${asHtml(
        JSON.stringify(schema),
      )}</code></td></tr>`,
  );
  const body = operation.requestBody ? `<h4>Body</h4>${json(operation.requestBody.content)}` : '';
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status !== 'default')
    .map(
      ([status, { description, content }]) =>
        `<h4>${status} ${asHtml(description)}</h4>${content ? json(content) : ''}`,
    );
  return `<details id="${asHtml(operation.operationId)}"><summary><b class="method">${method}</b><code>${asHtml(
    path,
  )}</code> ${asHtml(operation.summary)}</summary>${
    rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
  }${body}${answers.join('')}</details>`;
}

/** Shown as it is, with references that can be followed. */
function json(value: unknown): string {
  const text = asHtml(JSON.stringify(value, undefined, 2));
  return `<pre>${text.replace(
    /#\/components\/schemas\/(\w+)/g,
    (reference, name: string) => `<a href="#schema-${name}">${reference}</a>`,
  )}</pre>`;
}

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const asHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);

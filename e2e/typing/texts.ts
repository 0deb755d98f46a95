import type { TypedText } from './typist.ts';

const yaml = (name: string, text: string): TypedText => ({ name, language: 'yaml', text });

/** Whole flows and scripts, each with something that an editor may get wrong. */
export const texts: readonly TypedText[] = [
  yaml(
    'an expression in double quotes',
    `id: hello
namespace: company.team
inputs:
  - id: city
    type: STRING
    defaults: "Ulm"
tasks:
  - id: greet
    type: core.log.Log
    message: "{{ inputs.city }} x"`,
  ),
  yaml(
    'expressions with strings, filters and maps inside',
    `id: filters
namespace: company.team
tasks:
  - id: one
    type: core.debug.Return
    format: "{{ ['a', 'b'] | join(', ') }} {{ {'k': [1, 2]}['k'][0] }}"
  - id: two
    type: core.debug.Return
    format: '{{ outputs["one"].value ?? "none" }} it''s'`,
  ),
  yaml(
    'a script in a block scalar',
    `id: script
namespace: company.team
tasks:
  - id: run
    type: scripts.python.Script
    script: |
      import json
      for name in ["a", "b"]:
        print(json.dumps({"name": name, "quoted": 'x'}))
      print(f"{len('abc')} done")
      print(f"row {row['a']}", len("("), {"b": f'{y}'})
    timeout: PT10M`,
  ),
  yaml(
    'a folded text and an empty line',
    `id: folded
namespace: company.team
description: >-
  A text over (two) lines,
  with "quotes", 'others' and {braces}.

  And a paragraph: the last one.
tasks:
  - id: one
    type: core.log.Log
    message: >
      {{ flow.id }}
      {{ execution.id }}`,
  ),
  yaml(
    'commands in a list',
    `id: commands
namespace: company.team
tasks:
  - id: shell
    type: scripts.shell.Commands
    commands:
      - echo "{{ inputs.name ?? 'stranger' }}" > out.txt
      - 'ls -la | grep "x[0-9]" || true'
      - test -f out.txt && cat out.txt
    env:
      KEY: "{{ secret('KEY') }}"
      HOME: /tmp`,
  ),
  yaml(
    'tasks within tasks',
    `id: nested
namespace: company.team
tasks:
  - id: each
    type: core.flow.ForEach
    values: ["a", "b", "c"]
    tasks:
      - id: inner
        type: core.flow.Sequential
        tasks:
          - id: log
            type: core.log.Log
            message: "{{ taskrun.value }}"
  - id: last
    type: core.log.Log
    message: done`,
  ),
  yaml(
    'lists of lists and collections in one line',
    `id: collections
namespace: company.team
variables:
  matrix:
    - [1, 2, [3, 4]]
    - {a: 1, b: {c: "d"}}
    - - x: 1
        y: 2
      - z
  empty: {}
labels: {team: "a, b", env: 'dev'}
tasks:
  - {id: a, type: core.log.Log, message: "{{ vars.matrix[0][1] }}"}`,
  ),
  yaml(
    'triggers, retries and conditions',
    `id: triggers
namespace: company.team
tasks:
  - id: a
    type: core.log.Log
    message: hi
    retry:
      type: constant
      interval: PT5S
      maxAttempt: 3
    runIf: "{{ inputs.n > 3 and (inputs.s == 'x' or not inputs.b) }}"
triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 9 * * 1-5"
    timezone: Europe/Berlin`,
  ),
  yaml(
    'comments and a document with every quote',
    `# A comment with (brackets), "quotes" and {{ an expression }}, it's fine
id: quotes # behind a value
namespace: company.team
variables:
  a: "\\"escaped\\" \\\\ and \\n"
  b: 'it''s'
  c: don't stop
  d: 5" of rain
  e: "{% if x %}yes{% else %}no{% endif %}"
tasks:
  - id: a
    type: core.log.Log
    message: '"{{ vars.b }}"'`,
  ),
  yaml(
    'letters of other languages',
    `id: letters
namespace: company.team
description: "Grüße aus Łódź: «¿qué?» – 日本語 (русский) 🎉"
tasks:
  - id: a
    type: core.log.Log
    message: "naïve café: {{ 'ß' | upper }}"`,
  ),
  yaml(
    'a collection over several lines',
    `id: lines
namespace: company.team
variables:
  list: [
    "a",
    {b: (c)},
  ]
  map: {
    "k": "{{ 'v' }}",
  }
tasks:
  - id: a
    type: core.log.Log
    message: x`,
  ),
  yaml(
    'a query in a block scalar',
    `id: query
namespace: company.team
tasks:
  - id: q
    type: jdbc.sqlite.Query
    url: "jdbc:sqlite:{{ workingDir }}/a.db"
    fetchType: FETCH
    sql: |
      SELECT "name", count(*) AS n
      FROM (SELECT * FROM t WHERE x IN ('a', 'b')) s
      GROUP BY "name"
  - id: r
    type: core.debug.Return
    format: "{{ outputs.q.rows | jq('.[0].n') | first }}"`,
  ),
  yaml(
    'JSON in a request',
    `id: request
namespace: company.team
tasks:
  - id: post
    type: core.http.Request
    uri: "https://example.com/{{ inputs.id }}?q=[1]"
    method: POST
    headers:
      Authorization: "Bearer {{ secret('TOKEN') }}"
    body: |
      {"a": [1, 2], "b": {"c": "{{ inputs.c }}"}}
    contentType: application/json
errors:
  - id: alert
    type: core.log.Log
    message: "{{ errorLogs() | length }}"`,
  ),
  {
    name: 'a Python function',
    language: 'python',
    text: `print("hi")

def greet(name, *, greeting="Hello"):
  """Greets (a person)."""
  if not name:
    raise ValueError("name is empty")
  return f"{greeting}, {name}!"

print(greet('Ada'), [x for x in (1, 2)])`,
  },
  {
    name: 'Python with collections over several lines',
    language: 'python',
    text: `import os, sys

config = {
  "path": os.environ["PATH"],
  'items': [
    (1, "a"),
    (2, 'b'),
  ],
}
for key, value in config.items():
  print(f"{key}={value!r}")  # it's (fine)
sys.exit(len(config["items"]) - 2)`,
  },
  {
    name: 'a Python class',
    language: 'python',
    text: `class Reader:
  def __init__(self, lines):
    self.lines = [line.strip("\\n") for line in lines]

  def __iter__(self):
    try:
      yield from self.lines
    finally:
      print('read', {"n": len(self.lines)})

print(list(Reader(["a\\n", 'b'])))`,
  },
  {
    name: 'a SQL query',
    language: 'sql',
    text: `-- it's a comment (with brackets)
SELECT u."name", count(*) AS "n"
FROM users u
JOIN orders o ON (o.user_id = u.id AND o.state IN ('NEW', 'PAID'))
WHERE u.name <> 'O''Brien'
  AND o.total > (SELECT avg(total) FROM orders)
GROUP BY u."name"
HAVING count(*) > 3;`,
  },
  {
    name: 'SQL that makes a table',
    language: 'sql',
    text: `CREATE TABLE "orders" (
  id INTEGER PRIMARY KEY,
  note VARCHAR(20) DEFAULT 'it''s new',
  CHECK (length(note) < 20)
);
INSERT INTO "orders" (id, note) VALUES (1, 'a'), (2, '{"k": [1]}');`,
  },
  {
    name: 'a JSON document',
    language: 'json',
    text: `{
  "name": "flow",
  "list": [1, 2.5, [true, null]],
  "text": "it's a \\"quote\\" {x}",
  "nested": {
    "a": [
      {"b": "c"}
    ]
  }
}`,
  },
  {
    name: 'JSON in one line',
    language: 'json',
    text: `[{"a":{"b":["c",{"d":"e"}]},"f":"(g)"},{},[],""]`,
  },
  {
    name: 'a shell script',
    language: 'shell',
    text: `#!/bin/sh
set -e
for f in *.txt; do
  echo "$f: $(wc -l < "$f")"
done
if [ -n "\${HOME}" ]; then echo 'it is set'; fi
awk '{ print $1 }' < in.txt | sort`,
  },
];

import type { Example } from '@millrace/plugin-kit';

interface Named {
  readonly name: string;
  readonly title: string;
  readonly exampleUrl: string;
}

const connection = ({ exampleUrl }: Named): string => `url: ${exampleUrl}
    username: "{{ secret('DB_USERNAME') }}"
    password: "{{ secret('DB_PASSWORD') }}"`;

export const queryExample = (database: Named): Example => ({
  title: 'Keep the rows of a query in a file.',
  runs: false,
  code: `id: ${database.name}_query
namespace: company.team

inputs:
  - id: country
    type: STRING
    defaults: France

tasks:
  - id: customers
    type: jdbc.${database.name}.Query
    ${connection(database)}
    sql: SELECT id, name FROM customers WHERE country = :country
    parameters:
      country: "{{ inputs.country }}"
    fetchType: STORE

  - id: show
    type: core.log.Log
    message: "{{ outputs.customers.size }} customers in {{ outputs.customers.uri }}"
`,
});

export const queriesExample = (database: Named): Example => ({
  title: 'Change a table and read it in one go.',
  runs: false,
  code: `id: ${database.name}_queries
namespace: company.team

tasks:
  - id: orders
    type: jdbc.${database.name}.Queries
    ${connection(database)}
    sql: |
      UPDATE orders SET state = 'LATE' WHERE state = 'OPEN';
      SELECT count(*) AS late FROM orders WHERE state = 'LATE';
    fetchType: FETCH_ONE

  - id: show
    type: core.log.Log
    message: "{{ outputs.orders.outputs[0].row.late }} late orders"
`,
});

export const batchExample = (database: Named, kind: string): Example => ({
  title: 'Write the rows of a file into a table.',
  runs: false,
  code: `id: ${database.name}_batch
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: load
    type: jdbc.${database.name}.${kind}
    ${connection(database)}
    from: "{{ inputs.rows }}"
    table: customers
    columns: [id, name]
    chunk: 5000
`,
});

export const triggerExample = (database: Named): Example => ({
  title: 'Start an execution for new rows, and mark them as seen.',
  runs: false,
  code: `id: ${database.name}_new_orders
namespace: company.team

tasks:
  - id: each_order
    type: core.flow.ForEach
    values: "{{ trigger.rows }}"
    tasks:
      - id: show
        type: core.log.Log
        message: "{{ taskrun.value }}"

triggers:
  - id: new_orders
    type: jdbc.${database.name}.Trigger
    interval: PT5M
    ${connection(database)}
    sql: SELECT id, amount FROM orders WHERE seen = 0
    afterSQL: UPDATE orders SET seen = 1 WHERE seen = 0
    fetchType: FETCH
`,
});

/** What a new template starts from. */
export const exampleTemplate = `id: my_template
namespace: company.team

tasks:
  - id: hello
    type: core.log.Log
    message: Hello from a template
`;

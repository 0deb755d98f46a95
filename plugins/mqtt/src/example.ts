import type { Example } from '@millrace/plugin-kit';

const properties = (clientId: string, lines: readonly string[]) =>
  [
    'server: ssl://mqtt.example.com:8883',
    `clientId: ${clientId}`,
    'username: "{{ secret(\'MQTT_USER\') }}"',
    'password: "{{ secret(\'MQTT_PASSWORD\') }}"',
    ...lines,
  ]
    .map((line) => `    ${line}`)
    .join('\n');

/** A complete flow with one task of this family. */
export const taskExample = (type: string, title: string, lines: readonly string[]): Example => ({
  title,
  runs: false,
  code: `id: mqtt_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: mqtt
    type: mqtt.${type}
${properties('millrace-task', lines)}
`,
});

/** A complete flow that a trigger of this family starts. */
export const triggerExample = (
  type: string,
  title: string,
  lines: readonly string[],
  message: string,
): Example => ({
  title,
  runs: false,
  code: `id: mqtt_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "${message}"

triggers:
  - id: messages
    type: mqtt.${type}
${properties('millrace-trigger', lines)}
`,
});

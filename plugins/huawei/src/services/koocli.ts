import { defineTask, dropMissing, text } from '@millrace/plugin-kit';
import { type InputOf, schemasOf, taskExample } from '@millrace/plugin-saas/rest';
import { cliProperties, cliTask, commandsProperty, runScript, shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { connection, connectionExample, keysOf, type Types } from '../client/connection.ts';

const type = 'huawei.koocli.KooCLI';
const title = 'Run commands of KooCLI';
const defaultInstaller =
  'https://ap-southeast-3-hwcloudcli.obs.ap-southeast-3.myhuaweicloud.com/cli/latest/hcloud_install.sh';

const kooCli = defineTask({
  ...cliTask,
  type,
  title,
  description: `Runs commands with the program \`hcloud\` at hand, on the worker or where \`taskRunner\` says. Where the program is missing it is installed first. Keys, region and project are
stored in its profile \`default\`.`,
  input: () =>
    z.object({
      commands: commandsProperty(),
      ...cliProperties('ubuntu:26.04'),
      ...(schemasOf(connection) as Record<never, never>), // read below as what it is
      installScriptUrl: text()
        .optional()
        .describe(
          'The address of the installer; that of Huawei Cloud for regions outside of China when absent.',
        ),
    }),
  examples: [taskExample(type, title, { commands: ['hcloud ECS NovaListServers'], ...connectionExample })],
  async run(context, input) {
    // `as`: the schema was made of these properties.
    const place = input as typeof input & InputOf<typeof connection>;
    const hasKeys = place.accessKeyId !== undefined || place.temporaryCredentials !== undefined;
    const keys = hasKeys ? await keysOf(context, place)() : undefined;
    const settings = dropMissing({
      'cli-region': place.region,
      'cli-project-id': place.projectId,
      'cli-domain-id': place.domainId,
    });
    const env = {
      ...(keys &&
        dropMissing({
          HUAWEI_ACCESS_KEY_ID: keys.accessKeyId,
          HUAWEI_SECRET_ACCESS_KEY: keys.secretAccessKey,
          HUAWEI_SECURITY_TOKEN: keys.securityToken,
        })),
      ...input.env,
    };
    const lines = [
      ...install(input.installScriptUrl ?? defaultInstaller),
      'hcloud configure set --cli-agree-privacy-statement=true >/dev/null',
      ...(keys ? [configure(settings, keys.securityToken !== undefined)] : []),
      ...input.commands,
    ];
    return runScript(context, { ...input, env }, { lines });
  },
});

/** Images without the program seldom have curl either. */
const install = (url: string): string[] => [
  'if ! command -v hcloud >/dev/null; then',
  '  command -v curl >/dev/null || { apt-get -qq update && apt-get -qq install -y curl ca-certificates >/dev/null; }',
  `  curl -fsSL ${shellQuote(url)} -o hcloud_install.sh && bash hcloud_install.sh -y >/dev/null`,
  '  rm -f hcloud_install.sh',
  'fi',
];

/** The keys come from the environment, so that no line of the script holds them. */
const configure = (settings: Readonly<Record<string, string>>, isTemporary: boolean): string =>
  [
    'hcloud configure set --cli-profile=default --cli-mode=AKSK',
    '--cli-access-key="$HUAWEI_ACCESS_KEY_ID" --cli-secret-key="$HUAWEI_SECRET_ACCESS_KEY"',
    ...(isTemporary ? ['--cli-security-token="$HUAWEI_SECURITY_TOKEN"'] : []),
    ...Object.entries(settings).map(([name, value]) => `--${name}=${shellQuote(value)}`),
    '>/dev/null',
  ].join(' ');

export const kooCliTypes: Types = [kooCli];

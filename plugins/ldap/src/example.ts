import type { Example } from '@millrace/plugin-kit';

const connection = `    hostname: ldap.example.com
    port: 389
    userDn: cn=admin,dc=example,dc=com
    password: "{{ secret('LDAP_PASSWORD') }}"
`;

/** A complete flow around one task. */
export const ldapExample = (
  type: string,
  title: string,
  lines: readonly string[],
  connects = true,
): Example => ({
  title,
  runs: false,
  code: `id: ldap_${type.toLowerCase()}
namespace: company.team

${lines.some((line) => line.includes('inputs.file')) ? 'inputs:\n  - id: file\n    type: FILE\n\n' : ''}tasks:
  - id: run
    type: ldap.${type}
${connects ? connection : ''}${lines.map((line) => `    ${line}\n`).join('')}`,
});

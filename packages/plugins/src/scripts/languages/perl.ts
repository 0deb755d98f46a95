import { defineLanguage } from '../language.ts';

export const perl = defineLanguage({
  name: 'perl',
  title: 'Perl',
  containerImage: 'perl',
  file: { extension: '.pl', command: "perl '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: perl_script
namespace: company.team

tasks:
  - id: run
    type: scripts.perl.Script
    script: |
      print "Hello from Perl\\n";
`,
  },
  commands: {
    title: 'Run a file of the namespace.',
    runs: false,
    code: `id: perl_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.perl.Commands
    namespaceFiles:
      enabled: true
    commands:
      - perl main.pl
`,
  },
});

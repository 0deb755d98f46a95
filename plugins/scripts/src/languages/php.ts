import { defineLanguage } from '../language.ts';

export const php = defineLanguage({
  name: 'php',
  title: 'PHP',
  containerImage: 'php',
  file: { extension: '.php', command: "php '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: php_script
namespace: company.team

tasks:
  - id: run
    type: scripts.php.Script
    script: |
      <?php echo 'Hello from PHP';
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: php_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.php.Commands
    inputFiles:
      main.php: |
        <?php echo 'Hello from PHP';
    commands:
      - php main.php
`,
  },
});

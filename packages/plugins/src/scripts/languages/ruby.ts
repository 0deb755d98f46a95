import { defineLanguage } from '../language.ts';

export const ruby = defineLanguage({
  name: 'ruby',
  title: 'Ruby',
  containerImage: 'ruby',
  file: { extension: '.rb', command: "ruby '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: ruby_script
namespace: company.team

tasks:
  - id: run
    type: scripts.ruby.Script
    script: |
      puts "Hello from Ruby #{RUBY_VERSION}"
`,
  },
  commands: {
    title: 'Run a file of the namespace.',
    runs: false,
    code: `id: ruby_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.ruby.Commands
    namespaceFiles:
      enabled: true
    commands:
      - ruby main.rb
`,
  },
});

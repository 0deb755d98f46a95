import { defineLanguage, type Language } from '../language.ts';
import { defineScriptTriggers } from '../scriptTrigger.ts';

const language: Language = {
  name: 'ruby',
  title: 'Ruby',
  trigger: 'puts "ready"',
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
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: ruby_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.ruby.Commands
    inputFiles:
      main.rb: |
        puts "Hello from Ruby #{RUBY_VERSION}"
    commands:
      - ruby main.rb
`,
  },
};

export const ruby = defineLanguage(language);
export const rubyTriggers = defineScriptTriggers(language);

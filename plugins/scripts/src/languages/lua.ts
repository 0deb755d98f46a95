import { defineLanguage } from '../language.ts';

export const lua = defineLanguage({
  name: 'lua',
  title: 'Lua',
  containerImage: 'nickblah/lua',
  file: { extension: '.lua', command: "lua '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: lua_script
namespace: company.team

tasks:
  - id: run
    type: scripts.lua.Script
    script: |
      print('Hello from Lua')
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: lua_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.lua.Commands
    inputFiles:
      main.lua: |
        print('Hello from Lua')
    commands:
      - lua main.lua
`,
  },
});

import { defineLanguage } from '../language.ts';

export const powershell = defineLanguage({
  name: 'powershell',
  title: 'PowerShell',
  containerImage: 'mcr.microsoft.com/powershell',
  interpreter: ['pwsh', '-NoProfile', '-NonInteractive', '-Command'],
  file: { extension: '.ps1', command: "& '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: powershell_script
namespace: company.team

tasks:
  - id: run
    type: scripts.powershell.Script
    script: |
      Get-ChildItem | Format-List
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: powershell_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.powershell.Commands
    inputFiles:
      main.ps1: |
        Get-ChildItem | Format-List
    commands:
      - ./main.ps1
`,
  },
});

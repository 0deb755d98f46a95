import { defineLanguage } from '../language.ts';

export const dotnet = defineLanguage({
  name: 'dotnet',
  title: 'C#',
  containerImage: 'mcr.microsoft.com/dotnet/sdk:10.0',
  file: { extension: '.cs', command: "dotnet run '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: dotnet_script
namespace: company.team

tasks:
  - id: run
    type: scripts.dotnet.Script
    script: |
      Console.WriteLine("Hello from C#");
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: dotnet_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.dotnet.Commands
    inputFiles:
      main.cs: |
        Console.WriteLine("Hello from C#");
    commands:
      - dotnet run main.cs
`,
  },
});

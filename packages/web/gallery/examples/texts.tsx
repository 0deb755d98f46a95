import { CodeEditor } from '../../src/ui/code/index.ts';
import { Markdown } from '../../src/ui/markdown/Markdown.tsx';
import { TextWithElements } from '../../src/ui/values/TextWithElements.tsx';
import type { GalleryExample } from '../example.ts';
import styles from '../gallery.module.css';

const prose = `# A heading
A paragraph with **bold**, \`code\` and [a link](https://example.com).

> A quotation

- one
- two

| Key | Value |
|---|---|
| a | 1 |

\`\`\`yaml
id: hello
tasks:
  - id: log # a comment
    type: core.log.Log
\`\`\`

\`\`\`mermaid
flowchart LR
  A[Water] --> B[Wheel]
\`\`\`
`;

export const texts: readonly GalleryExample[] = [
  { name: 'Markdown with code and a diagram', show: () => <Markdown text={prose} /> },
  { name: 'Markdown, compact', show: () => <Markdown text="A **short** text" compact /> },
  {
    name: 'TextWithElements',
    show: () => (
      <p>
        <TextWithElements
          text="started <when/>, as every day"
          parts={{ when: <strong>3 minutes ago</strong> }}
        />
      </p>
    ),
  },
  {
    name: 'CodeEditor: to write, to read, with a mistake',
    show: () =>
      [{}, { readOnly: true }, { markers: [mistake] }].map((state, index) => (
        <div key={Object.keys(state)[0] ?? 'write'} className={styles.tall}>
          <CodeEditor
            value={source}
            language="yaml"
            path={`gallery-${index}.yaml`}
            ariaLabel="Code"
            {...state}
          />
        </div>
      )),
  },
];

const source = 'id: hello\nnamespace: shop\n';
const mistake = {
  severity: 'error' as const,
  message: 'Unknown namespace',
  path: 'namespace',
  range: { start: { line: 2, column: 12 }, end: { line: 2, column: 16 } },
};

/** The part of a Markdown tree that matters here; the parser's own types are those of packages we do not use directly. */
interface Node {
  type: string;
  name?: string;
  value?: string;
  attributes?: Record<string, string | null | undefined> | null;
  children?: Node[];
  data?: { hName?: string; hProperties?: Record<string, unknown> };
}

/** What pages may embed: `::child-card{}` on a separate line, or `:::alert{type="info"}` around text. */
export const widgetNames = [
  'child-card',
  'child-toc',
  'release-list',
  'logo-pack',
  'swagger',
  'alert',
  'collapse',
] as const;
export type WidgetName = (typeof widgetNames)[number];

const isWidget = (name: string | undefined): name is WidgetName =>
  widgetNames.some((known) => known === name);

/**
 * A Markdown plugin: directives become widgets, and what only looks like one, as the `:30` of 12:30, becomes the text
 * it was.
 */
export function toWidgets() {
  return (tree: object): void => visit(tree as Node);
}

function visit(node: Node): void {
  if (node.type === 'textDirective') restoreText(node);
  else if ((node.type === 'leafDirective' || node.type === 'containerDirective') && isWidget(node.name))
    node.data = { hName: 'doc-widget', hProperties: { name: node.name, ...readAttributes(node) } };
  for (const child of node.children ?? []) visit(child);
}

function restoreText(node: Node): void {
  const label = node.children ?? [];
  const children: Node[] = [{ type: 'text', value: `:${node.name}` }];
  if (label.length > 0) children.push({ type: 'text', value: '[' }, ...label, { type: 'text', value: ']' });
  node.data = { hName: 'span' };
  node.children = children;
}

/** Only what the widgets read: an attribute must not become one of the element by its name. */
function readAttributes({ attributes }: Node): Record<string, string> {
  const { type, spec, max, title, path } = attributes ?? {};
  const known = { kind: type, spec, max, title, path };
  return Object.fromEntries(Object.entries(known).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

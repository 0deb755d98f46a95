/**
 * Computed styles for the tests. jsdom matches every rule of the browser's style sheet against the element on each
 * call and copies the whole result, and a query by role asks for the style of every element on the page. The tests load
 * no style sheet of the app but its custom properties, so the inline styles and the elements' defaults say the same.
 */
export function simplifyStyles(): void {
  const light: typeof getComputedStyle = (element, pseudo) =>
    pseudo ? computeAll(element, pseudo) : lightStyle(element);
  // Testing Library asks the window of the document, which is not the global object here.
  for (const view of [window, document.defaultView]) if (view) view.getComputedStyle = light;
}

const computeAll = window.getComputedStyle.bind(window);

function lightStyle(element: Element): CSSStyleDeclaration {
  const read = (property: string): string => {
    if (property === 'display') return displayOf(element);
    if (property === 'visibility') return visibilityOf(element);
    if (property.startsWith('--')) return computeAll(element).getPropertyValue(property);
    return inlineValue(element, property) || (initial[property] ?? '');
  };
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) => {
      if (name === 'getPropertyValue') return read;
      if (typeof name === 'symbol') return undefined;
      return read(name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`));
    },
  });
}

const initial: Readonly<Record<string, string>> = {
  'box-sizing': 'content-box',
  direction: 'ltr',
  overflow: 'visible',
  'overflow-x': 'visible',
  'overflow-y': 'visible',
  'pointer-events': 'auto',
  position: 'static',
  transform: 'none',
};

function inlineValue(element: Element, property: string): string {
  return element.hasAttribute('style') && 'style' in element
    ? (element as HTMLElement).style.getPropertyValue(property)
    : '';
}

function displayOf(element: Element): string {
  const tag = element.localName;
  if (tag === 'input' && element.getAttribute('type') === 'hidden') return 'none';
  const inline = inlineValue(element, 'display');
  if (inline) return inline;
  if (element.hasAttribute('hidden')) return 'none';
  if (tag === 'dialog' && !element.hasAttribute('open')) return 'none';
  return displays.get(tag) ?? 'inline';
}

function visibilityOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const inline = inlineValue(at, 'visibility');
    if (inline && inline !== 'inherit') return inline;
  }
  return 'visible';
}

const tagsByDisplay: Readonly<Record<string, string>> = {
  block:
    'html body address blockquote center dialog div figure figcaption footer form header hr legend main p pre search article aside h1 h2 h3 h4 h5 h6 hgroup nav section dd dl dt menu ol ul fieldset details summary',
  'inline-block': 'input button',
  'list-item': 'li',
  table: 'table',
  'table-caption': 'caption',
  'table-column-group': 'colgroup',
  'table-column': 'col',
  'table-header-group': 'thead',
  'table-row-group': 'tbody',
  'table-footer-group': 'tfoot',
  'table-row': 'tr',
  'table-cell': 'td th',
  none: 'area base datalist head link meta script style template title',
};

const displays = new Map(
  Object.entries(tagsByDisplay).flatMap(([display, tags]) => tags.split(' ').map((tag) => [tag, display])),
);

import { isMap, type JsonMap, nameOfUri, TaskFailed, textOf } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const tika = defineService({
  name: 'Tika',
  prefix: 'tika',
  properties: {
    url: preset.text(
      'http://localhost:9998',
      'The address of the Tika server, such as the image `apache/tika`.',
    ),
  },
  baseUrl: ({ url }) => url,
  example: { url: 'http://tika.example.com:9998' },
});

/** The form of the content in the path of the request. */
const forms = { TEXT: 'text', XHTML: 'xml', XHTML_NO_HEADER: 'xml' };
const contentKey = 'X-TIKA:content';
const pathKey = 'X-TIKA:embedded_resource_path';

const parse = tika.task({
  type: 'Parse',
  title: 'Read the text of a document with Apache Tika',
  description: `Sends a file to a Tika server, which must run beside Millrace, and keeps its text and metadata. With \`extractEmbedded\` the text of each embedded
document is stored as a file; the embedded documents themselves are not.`,
  properties: {
    from: may.file('The file in internal storage.'),
    extractEmbedded: preset.flag(false, 'Store the text of embedded documents.'),
    contentType: preset.choice(
      ['TEXT', 'XHTML', 'XHTML_NO_HEADER'],
      'XHTML',
      'The form of the content: plain text, XHTML, or the body of the XHTML.',
    ),
    ocrOptions: may.map(
      'Recognize text in images: `strategy` (`NO_OCR`, `OCR_ONLY`, `OCR_AND_TEXT_EXTRACTION`, `AUTO`), `enableImagePreprocessing` and `language`. The server needs Tesseract.',
    ),
    store: preset.flag(true, 'Store the result as a file; otherwise it is an output.'),
    charactersLimit: may.integer('The most characters of the content.'),
  },
  output: {
    result: out.map('The result with `content`, `metadata` and `embedded`, unless it is stored.'),
    uri: out.text('The file with the result as JSON, with `store`.'),
  },
  run: async (client, input, context) => {
    const { from, contentType, ocrOptions = {}, charactersLimit } = input;
    if (from === undefined)
      throw new TaskFailed('"from" must be given: a file in internal storage.', { retry: false });
    const { body } = await client.send({
      method: 'PUT',
      path: `/rmeta/${forms[contentType]}`,
      content: await context.files.read(from),
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(nameOfUri(from))}`,
        'x-tika-pdfocrstrategy': (textOf(ocrOptions.strategy) ?? 'NO_OCR').toLowerCase(),
        'x-tika-ocrlanguage': textOf(ocrOptions.language),
        'x-tika-ocrenableimagepreprocessing':
          ocrOptions.enableImagePreprocessing === undefined
            ? undefined
            : String(ocrOptions.enableImagePreprocessing),
        'x-tika-ocrskipocr': ocrOptions.strategy === undefined ? 'true' : undefined,
        writelimit: charactersLimit === undefined ? undefined : String(charactersLimit),
      },
    });
    const [document, ...inner] = (Array.isArray(body) ? body : []).filter(isMap);
    if (!document) throw new TaskFailed('Tika returned no document.');
    const embedded: Record<string, string> = {};
    if (input.extractEmbedded)
      for (const [index, each] of inner.entries()) {
        const name = textOf(each[pathKey])?.replace(/^\/+/, '') ?? `embedded-${index + 1}`;
        const fileName = `${name.replace(/[^\w.-]/g, '_')}.${contentType === 'TEXT' ? 'txt' : 'xhtml'}`;
        embedded[name] = await context.files.put(fileName, contentOf(each, contentType));
      }
    const { [contentKey]: _, ...metadata } = document;
    const content = contentOf(document, contentType).slice(0, charactersLimit);
    const result: JsonMap = { embedded, metadata, content };
    if (!input.store) return { result };
    return { uri: await context.files.put('document.json', JSON.stringify(result)) };
  },
  example: { from: '{{ inputs.file }}', contentType: 'TEXT', store: false },
});

function contentOf(document: JsonMap, form: keyof typeof forms): string {
  const content = textOf(document[contentKey]) ?? '';
  if (form === 'TEXT') return content.trim();
  return form === 'XHTML' ? content : (/<body[^>]*>(.*)<\/body>/s.exec(content)?.[1] ?? content);
}

export const tikaTypes = [parse];

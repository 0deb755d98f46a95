import { startServices, testCalls } from '../testing/exchange.ts';
import { tikaTypes } from './tika.ts';

startServices();

const server = 'http://tika.example.com:9998';
const metadata = { 'Content-Type': 'application/pdf', 'dc:title': 'Report' };

testCalls(tikaTypes, {
  headers: { 'content-type': 'application/octet-stream' },
  cases: [
    {
      type: 'tika.Parse',
      with: { charactersLimit: 5 },
      files: { file: 'a pdf' },
      exchanges: [
        {
          asks: `PUT ${server}/rmeta/text`,
          sends: 'a pdf',
          headers: { 'x-tika-pdfocrstrategy': 'no_ocr', 'x-tika-ocrskipocr': 'true', writelimit: '5' },
          replies: [{ ...metadata, 'X-TIKA:content': '\n\nHello world\n' }],
        },
      ],
      gives: { result: { content: 'Hello', metadata, embedded: {} } },
    },
    {
      type: 'tika.Parse',
      when: 'as a stored body of XHTML',
      with: {
        contentType: 'XHTML_NO_HEADER',
        store: true,
        ocrOptions: { strategy: 'AUTO', language: 'deu' },
      },
      files: { file: 'a pdf' },
      exchanges: [
        {
          asks: `PUT ${server}/rmeta/xml`,
          sends: 'a pdf',
          headers: {
            'x-tika-pdfocrstrategy': 'auto',
            'x-tika-ocrlanguage': 'deu',
            'x-tika-ocrskipocr': undefined,
          },
          replies: [{ ...metadata, 'X-TIKA:content': '<html><head/><body><p>Hi</p></body></html>' }],
        },
      ],
      stores: { uri: JSON.stringify({ embedded: {}, metadata, content: '<p>Hi</p>' }) },
    },
  ],
});

import { describe, expect, test } from 'vitest';
import { bareHost } from './cases/case.ts';
import { type Host, lazy, render, renderDeep, renderTyped, type Variables } from './index.ts';

const files = new Map([['sql/q.sql', 'select 1']]);
const key = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

/** A host with every function, all synchronous. */
const host: Host = {
  ...bareHost,
  secret: (name) =>
    ({ API_KEY: 's3', DB: '{"user":"u","n":1,"o":{"a":2}}', PLAIN: 'text' })[name.toUpperCase()],
  kv: (name) => ({ cfg: { port: 80 }, flag: false, nil: null })[name],
  read: (path) => files.get(path) ?? Promise.reject(new Error(`Unable to read the file ${path}`)),
  fileSize: () => 24,
  fileExists: (path) => files.has(path),
  isFileEmpty: () => false,
  errorLogs: () => [{ message: 'first' }, { message: 'second' }],
  http: ({ uri, method }) => (uri === 'https://h/x' ? [{ slug: 'a' }, { slug: 'b' }] : { method }),
  subflow: ({ id }) => ({ id: 'x', state: 'SUCCESS', outputs: { list: [id] } }),
  randomPort: () => 20_001,
  isPublicHoliday: (date, country) => date === '2024-07-14' && country === 'FR',
};

/** The same host, with every result delayed. */
const lateHost: Host = Object.fromEntries(
  Object.entries(host).map(([name, part]) => {
    const isAsync = typeof part === 'function' && !['now', 'random', 'id'].includes(name);
    return [
      name,
      isAsync ? async (...args: unknown[]) => (part as (...all: unknown[]) => unknown)(...args) : part,
    ];
  }),
) as unknown as Host;

const loop: Variables = {
  outputs: { t: { a: { value: 10 }, b: { value: 20 } }, p: { x: 1 } },
  task: { id: 't' },
  taskrun: { value: 'c', iteration: 2 },
  parents: [],
};

type Row = readonly [template: string, expected: string, variables?: Variables];

const rows: readonly Row[] = [
  ["{{ secret('api_key') }}", 's3'],
  ["{{ secret('db', subkey='user') }}", 'u'],
  ["{{ secret('db', subkey='n') }}", '1'],
  ["{{ secret('db', subkey='o') }}", '{"a":2}'],
  ["{{ kv('cfg').port + 1 }}", '81'],
  ["{{ kv('nope', errorOnMissing=false) ?? 'd' }}", 'd'],
  ["{{ kv('flag') }}", 'false'],
  ["{{ read('sql/q.sql') }}", 'select 1'],
  [
    "{{ fileURI('/a/b.txt') }}",
    'kestra:///company/team/_files/a/b.txt',
    { flow: { namespace: 'company.team' } },
  ],
  ["{{ fileURI('b.txt', 'x.y') }}", 'kestra:///x/y/_files/b.txt'],
  [
    "{{ fileSize('u') }} {{ fileExists('sql/q.sql') }} {{ fileExists('u') }} {{ isFileEmpty('u') }}",
    '24 true false false',
  ],
  ["{{ decrypt(k, encrypt(k, 'é x')) }}", 'é x', { k: key }],
  ["{{ encrypt(k, '') }}{{ decrypt(k, null) }}", '', { k: key }],
  ["{{ render('{{ a }}') }} {{ renderOnce('{{ a }}') }}", '1 {{ b }}', { a: '{{ b }}', b: 1 }],
  ['{{ fetchContext().flow.id }}', 'f', { flow: { id: 'f' } }],
  ['{{ printContext() }}', '{"a":1}', { a: 1 }],
  ['{{ randomInt(3, 4) }}', '3'],
  ['{{ nanoId(length=4) | length }} {{ nanoId() | length }}', '4 21'],
  ["{{ nanoId(5, 'a') }}", 'aaaaa'],
  ['{{ id() | length }} {{ uuid() | length }} {{ ksuid() | length }}', '22 36 27'],
  [
    "{{ tasksWithState('failed') }}",
    '[{"taskId":"a","state":"FAILED"},{"taskId":"b","state":"FAILED","value":"x"}]',
    { tasks: { a: { state: 'FAILED' }, b: { x: { state: 'FAILED' }, y: { state: 'SUCCESS' } } } },
  ],
  ['{{ iterationOutput() }}', '20', loop],
  ["{{ iterationOutput('t', 0) }}", '10', loop],
  ['{{ parentOutput().x }}', '1', { parents: [{ outputs: { x: 1 } }] }],
  ['{{ parentOutput().x }}', '1', { outputs: { p: { x: 1 } }, parents: [{ task: { id: 'p' } }] }],
  ['{{ parentOutput(0).x }}', '2', { parents: [{ outputs: { x: 1 } }, { outputs: { x: 2 } }] }],
  ["{{ loopOutputs(outputs.t, 'value') }}", '[10,20]', loop],
  ['{{ errorLogs() | length }} {{ (errorLogs() | first).message }}', '2 first'],
  ["{{ http(uri='https://h/x') | jq('.[].slug') }}", '["a","b"]'],
  ["{{ http('u', 'POST', body={'a': 1}).method }}", 'POST'],
  ["{{ subflow(namespace='a.b', id='f').outputs.list }}", '["f"]'],
  ['{{ randomPort() }}', '20001'],
  ["{{ env('region', 'eu') }} {{ env('home', 'x') }}", 'eu h', { envs: { home: 'h' } }],
  ['{{ fromIon(\'{a:1,b:"x"}\').b }}', 'x'],
  ['{{ fromIon(two, allRows=true) | length }}', '2', { two: '{a:1}\n{a:2}' }],
  ["{{ now('yyyy-MM-dd') }} {{ now('HH:mm', timeZone='Asia/Tokyo') }}", '2024-03-09 23:04'],
  ['{{ now() }}', '2024-03-09T14:04:05.123000Z'],
  ["{{ isWeekend('2024-03-09') }} {{ isWeekend('2024-03-08') }}", 'true false'],
  [
    "{{ dayOfWeek('2024-03-09') }} {{ dayOfMonth('2024-03-09') }} {{ monthOfYear('2024-03-09') }}",
    'SATURDAY 9 3',
  ],
  ["{{ hourOfDay('2024-03-09T14:30:00+02:00') }}", '14'],
  [
    "{{ isDayWeekInMonth('2024-03-04','MONDAY','FIRST') }} {{ isDayWeekInMonth('2024-03-25','MONDAY','LAST') }}",
    'true true',
  ],
  [
    "{{ isDayWeekInMonth('2024-03-11','MONDAY','FIRST') }} {{ isDayWeekInMonth('2024-03-11','MONDAY','SECOND') }}",
    'false true',
  ],
  ["{{ isLastWorkingDay('2024-03-29') }} {{ isLastWorkingDay('2024-03-31') }}", 'true false'],
  ["{{ isLastWorkingDay('2024-03-31', ['SUNDAY']) }}", 'true'],
  [
    "{{ isDateBefore('2024-01-01','2024-01-02') }} {{ isDateAfter('2024-01-01','2024-01-02') }}",
    'true false',
  ],
  ["{{ isDateBetween('2024-01-02T00:00:00Z','2024-01-01T00:00:00Z','2024-01-03T00:00:00Z') }}", 'true'],
  ["{{ isPublicHoliday('2024-07-14','FR') }} {{ isPublicHoliday('2024-07-15','FR') }}", 'true false'],
  ['{{ max(null, 1, 2.5) }} {{ min(3) }} [{{ max() }}]', '2.5 3 []'],
  ["{{ range(1, 7, 3) }} {{ range(3, 1, -1) }} {{ range('a', 'e', 2) }}", '[1,4,7] [3,2,1] ["a","c","e"]'],
  ['{{ json(\'{"a": 10.0, "b": 12345678901234567890}\') }}', '{"a":10.0,"b":12345678901234567890}'],
  ["{{ yaml('a: 0x1F\nb: off\nc: 12e03\nd: ~') }}", '{"a":31,"b":false,"c":12000.0}'],
];

const cases = rows.map(([template, expected, variables = {}]) => ({ template, expected, variables }));

describe('functions', () => {
  test.each(cases)('$template', ({ template, expected, variables }) => {
    expect(render(template, variables, host)).toBe(expected);
  });

  test.each(cases)('$template, from a host that answers later', async ({ template, expected, variables }) => {
    expect(await render(template, variables, lateHost)).toBe(expected);
  });

  test.each([
    ["{{ secret('nope') }}", "Cannot find secret for key 'nope'."],
    ["{{ secret('plain', subkey='a') }}", 'is not JSON'],
    ["{{ secret('db', subkey='z') }}", "Cannot find secret sub-key 'z'"],
    ["{{ kv('nope') }}", "The key 'nope' does not exist"],
    ["{{ kv('nope') ?? 'd' }}", "The key 'nope' does not exist"],
    ["{{ fileURI('../x') }}", "must not contain '..'"],
    ['{{ randomInt(4, 3) }}', 'must be above'],
    ['{{ randomInt(4) }}', 'must be an integer'],
    ['{{ nanoId(1001) }}', 'between 1 and 1000'],
    ["{{ encrypt('YQ==', 'x') }}", '128, 192 or 256 bits'],
    [`{{ decrypt('${key}', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') }}`, 'cannot be decrypted'],
    ['{{ iterationOutput() }}', 'inside of a loop'],
    ['{{ range(1, 2, 0) }}', 'must not be 0'],
    ["{{ range(1, 'b') }}", 'two integers or two characters'],
    ["{{ fromIon('{') }}", 'Invalid ion'],
    ["{{ yaml('a: [') }}", 'Invalid yaml'],
    ["{{ credential('x') }}", 'Function or Macro [credential] does not exist.'],
    ["{{ now(nope='x') }}", 'The following named argument does not exist: nope'],
    ['{{ uuid(1) | length }}{{ fileSize(1, 2, 3) }}', 'Too many arguments'],
  ])('%s fails with "%s"', (template, message) => {
    expect(() => render(template, {}, host)).toThrow(message);
  });

  test('a rejected answer fails the rendering with its message', async () => {
    await expect(render("{{ read('x') }}", {}, host)).rejects.toThrow('Unable to read the file x');
  });

  test('a function whose host part is absent says so', () => {
    expect(() => render("{{ kv('a') }}", {}, bareHost)).toThrow('The function kv() is not available here');
  });

  test('reports every text of a secret for masking', () => {
    const masked: string[] = [];
    expect(
      render("{{ secret('db', subkey='user') }}", {}, { ...host, mask: (text) => masked.push(text) }),
    ).toBe('u');
    expect(masked).toContain('u');
    expect(masked).toContain('{"user":"u","n":1,"o":{"a":2}}');
  });
});

describe('answers that come later', () => {
  test('each question is asked once, in order', async () => {
    const asked: string[] = [];
    const slow: Host = {
      ...bareHost,
      kv: async (name) => {
        asked.push(name);
        return name;
      },
    };
    const template = "{% for k in ['a','b','c'] %}{{ kv(k) }}{% if kv(k) == 'b' %}!{% endif %}{% endfor %}";
    expect(await render(template, {}, slow)).toBe('ab!c');
    expect(asked).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  });

  test('random values stay the same while later answers come in', async () => {
    let count = 0;
    const slow: Host = { ...bareHost, id: () => `id${count++}`, kv: async () => 'v' };
    expect(await render("{{ id() }}{{ kv('a') }}{{ id() }}{{ kv('b') }}", {}, slow)).toBe('id0vid1v');
  });

  test('typed and deep rendering wait as well', async () => {
    expect(await renderTyped("{{ kv('cfg') }}", {}, lateHost)).toEqual({ port: 80 });
    const deep = renderDeep({ a: ["{{ kv('cfg').port }}"], "{{ secret('api_key') }}": 1 }, {}, lateHost);
    expect(await deep).toEqual({ a: ['80'], s3: 1 });
  });

  test('a lazy variable is computed once, when used, also as a promise', async () => {
    let computed = 0;
    const outputs = lazy(() => {
      computed++;
      return { a: 1 };
    });
    expect(render('{{ x }}', { x: 1, outputs }, bareHost)).toBe('1');
    expect(computed).toBe(0);
    expect(await render("{{ outputs.a }}{{ kv('flag') }}{{ outputs.a }}", { outputs }, lateHost)).toBe(
      '1false1',
    );
    expect(computed).toBe(1);
    expect(await render('{{ later.a }}', { later: lazy(async () => ({ a: 2 })) }, bareHost)).toBe('2');
  });
});

/** Variables that several cases share. A key beginning with `$` marks a value of that kind. */
export const basics = { n: null, m: { a: 1 }, l: [1, 2, 3] };

export const nested = {
  a: { b: { c: 'deep' }, 'x-y': 'hy', list: [{ v: 10 }, { v: 20 }], '1': 'one', size: 'SZ' },
  i: 1,
  k: 'b',
  s: 'str',
  l: ['p', 'q'],
  nul: null,
  d: 1.5,
  t: true,
  big: { $long: 5000000000 },
};

export const times = {
  z: { $zdt: '2024-03-09T15:04:05.123456789+01:00[Europe/Paris]' },
  i: { $instant: '2024-03-09T14:04:05.123Z' },
  ld: { $ld: '2024-03-09' },
  ldt: { $ldt: '2024-03-09T15:04:05' },
  ep: { $long: 1709993045 },
  ei: 1709993045,
  s: '2024-03-09T14:04:05Z',
  so: '2024-03-09T14:04:05+05:30',
};

export const typed = {
  v: 3,
  d: 2.5,
  m: { a: 1 },
  z: { $zdt: '2024-03-09T15:04:05.123456789+01:00[Europe/Paris]' },
  nul: null,
  l: [1],
};

export const templates = {
  a: '1',
  b: '{{ a }}',
  c: '{{ b }}',
  m: { k: '{{ c }}' },
  l: ['{{ b }}', 5],
  n: null,
  raw: '{% raw %}{{ a }}{% endraw %}',
  loop1: '{{ loop2 }}',
  loop2: '{{ loop1 }}',
};

export const user = {
  u: {
    name: 'Ann',
    tags: ['x', 'y'],
    nul: null,
    empty: '',
    rows: [{ id: 1, v: 'a' }, { id: 2 }],
    flag: true,
    n: 5,
    f: 2.5,
    csv: 'a,b,c',
    json: '{"k":"v","arr":[1,{"z":9}]}',
    path: '/data/dir/file.tar.gz',
    url: 'a b/c?d=é',
    d: '2024-05-06T07:08:09.123Z',
    i: { $instant: '2024-05-06T07:08:09Z' },
  },
};

export const millis = { i: { $instant: '2024-03-09T14:04:05.120Z' } };

export const micros = { i: { $instant: '2024-03-09T14:04:05.123456Z' } };

/** Rows computed by the YAML library of the reference: a value and the text it is written as. */
export const writtenYaml: readonly (readonly [value: unknown, text: string])[] = [
  ['010', "'010'\n"],
  ['--', '--\n'],
  ['?a', '?a\n'],
  ['? a', "'? a'\n"],
  ['~x', '"~x"\n'],
  ['a\u0007\u001b\u0001', '"a\\a\\e\\x01"\n'],
  ['x: y\nz: w', '|-\n  x: y\n  z: w\n'],
  ['# c\nd\n', '|\n  # c\n  d\n'],
  ['a \nb', '"a \\nb"\n'],
  [{ '1': 1 }, '"1": 1\n'],
  [{ '.x': 1, '-x': 2, '~': 3 }, '".x": 1\n"-x": 2\n"~": 3\n'],
  [{ 'a: b': 1, '{{ x }}': 2, 'x]': 3, true: 4 }, "'a: b': 1\n'{{ x }}': 2\nx]: 3\n\"true\": 4\n"],
  [{ 'a\nb': 1 }, '? "a\\nb"\n: 1\n'],
  [{ k: 'x\ny', l: [['x\ny']] }, 'k: |-\n  x\n  y\nl:\n -\n   - |-\n    x\n    y\n'],
];

/** A YAML text and the JSON of its parsed value. */
export const readYamlRows: readonly (readonly [text: string, json: string])[] = [
  ['a: |\n  x\n  y', '{"a":"x\\ny"}'],
  ['a: |\n  x\n  y\n', '{"a":"x\\ny\\n"}'],
  ['a: >\n  x\n  y', '{"a":"x y"}'],
  ['[12:30, y, N, e1, 08, 2024-01-01, 0o10]', '["12:30","y","N","e1","08","2024-01-01","0o10"]'],
  ['[yes, Off, TRUE, no]', '[true,false,true,false]'],
  ['[010, 0x1F, 0b11, 1_000, +5, -0, .5, 1., 1e3]', '[8,31,3,1000,5,0,0.5,1.0,1000.0]'],
  ['null: a\ntrue: b\n10: c\n2: d', '{"null":"a","true":"b","10":"c","2":"d"}'],
  ['a: !!str 5', '{"a":"5"}'],
  ['a: &x {c: 1}\nb:\n  <<: *x\n  d: 2', '{"a":{"c":1},"b":{"c":1,"d":2}}'],
];

import { describe, expect, test } from 'vitest';
import { bareHost } from './cases/case.ts';
import {
  formattedDates,
  formattedNumbers,
  parsedDates,
  printedTexts,
  unparsableDates,
} from './cases/java.ts';
import { readYamlRows, writtenYaml } from './cases/yaml.ts';
import { ExpressionError, render } from './index.ts';

describe('dates and numbers look as in Java', () => {
  test.each(formattedDates)('%s of %s in %s (%s)', (pattern, instant, zone, locale, text) => {
    const template = '{{ instant | date(pattern, timeZone=zone, locale=locale) }}';
    expect(render(template, { pattern, instant, zone, locale }, bareHost)).toBe(text);
  });

  test.each(parsedDates)('%s reads %s', (pattern, text, instant) => {
    const template = "{{ text | date('iso_instant', existingFormat=pattern) }}";
    expect(render(template, { pattern, text }, bareHost)).toBe(instant);
  });

  test.each(unparsableDates)('%s refuses %s', (pattern, text) => {
    const work = () => render('{{ text | date(existingFormat=pattern) }}', { pattern, text }, bareHost);
    expect(work).toThrow(ExpressionError);
  });

  test.each(formattedNumbers)('the pattern %s of %s', (pattern, number, text) => {
    const type = /[.E]/.test(number) ? 'DOUBLE' : 'LONG';
    const template = '{{ number | number(type) | numberFormat(pattern) }}';
    expect(render(template, { pattern, number, type }, bareHost)).toBe(text);
  });

  test.each(printedTexts)('the format %s of %s', (format, argument, text) => {
    const type = /^-?\d+$/.test(argument) ? 'LONG' : /^-?[\d.]+(E-?\d+)?$/.test(argument) ? 'DOUBLE' : null;
    const template = type
      ? '{{ format | format(argument | number(type)) }}'
      : '{{ format | format(argument) }}';
    expect(render(template, { format, argument, type }, bareHost)).toBe(text);
  });
});

describe('YAML is written and read as in Java', () => {
  test.each(writtenYaml)('%j', (value, text) => {
    expect(render('{{ value | yaml }}', { value }, bareHost)).toBe(text);
  });

  test.each(readYamlRows)('%j', (text, json) => {
    expect(render('{{ yaml(text) | toJson }}', { text }, bareHost)).toBe(json);
  });
});

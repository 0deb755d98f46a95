import type { InputType } from '@millrace/contract';
import { email, file, uri } from './address.ts';
import { boolean } from './boolean.ts';
import { select } from './choice.ts';
import { date, dateTime, duration, time } from './dates.ts';
import type { InputRule } from './inputRule.ts';
import { listRule } from './list.ts';
import { float, int } from './number.ts';
import { string } from './string.ts';
import { json, yaml } from './structured.ts';

const list = listRule((type) => inputRules[type]);

/** Every type of input and how it reads a value. */
export const inputRules: Readonly<Record<InputType, InputRule>> = {
  STRING: string,
  SECRET: string,
  INT: int,
  FLOAT: float,
  BOOLEAN: boolean,
  BOOL: boolean,
  DATETIME: dateTime,
  DATE: date,
  TIME: time,
  DURATION: duration,
  FILE: file,
  JSON: json,
  YAML: yaml,
  URI: uri,
  EMAIL: email,
  ARRAY: list,
  MULTISELECT: list,
  SELECT: select,
  ENUM: select,
};

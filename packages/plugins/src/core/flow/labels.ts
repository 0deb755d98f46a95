import { z } from 'zod';
import { listOf, mapOf, part, text } from '../../kit/dynamic.ts';

/** Labels as a map, or as a list of keys and values. */
export const labels = () => z.union([mapOf(text()), listOf(part({ key: text(), value: text() }))]);

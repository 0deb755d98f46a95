import { z } from 'zod';
import { text } from '../../searchParams.ts';

const LoginSearch = z.object({ from: text, expired: text });
export type LoginSearch = z.infer<typeof LoginSearch>;
export const parseLoginSearch = (raw: Record<string, unknown>): LoginSearch => LoginSearch.parse(raw);

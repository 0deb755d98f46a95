import { messageOf } from '@millrace/plugin-kit';

/** The properties that drivers attach to their errors. */
interface DriverError {
  readonly code?: unknown;
  readonly sqlState?: unknown;
  readonly detail?: unknown;
  readonly hint?: unknown;
  readonly position?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
}

/** A sentence for the log: the server's message and its code. */
export function describeFailure(error: unknown): string {
  const { code, address, port, hostname, sqlState, detail, hint, position } = facts(error);
  if (code === 'ECONNREFUSED') {
    // The error of a host with several addresses names none of them, but its message names the host.
    const [, name = `${address}:${port}`] =
      /^The connection to (\S+) was refused/.exec(messageOf(error)) ?? [];
    return `The connection to ${name} was refused. Is the server running?`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host "${hostname}" is unknown.`;
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'The server closed the connection.';
  const state = typeof sqlState === 'string' ? sqlState : typeof code === 'string' ? code : undefined;
  return [
    messageOf(error),
    state === undefined ? '' : ` (${state})`,
    typeof position === 'string' ? ` at position ${position}` : '',
    typeof detail === 'string' ? ` ${detail}` : '',
    typeof hint === 'string' ? ` ${hint}` : '',
  ].join('');
}

const transientCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
]);
/** Connection lost, server shutting down, serialization failure, deadlock. */
const transientStates = /^(08|40|57P)/;

/** True when the same statement may succeed on a new connection. */
export function isTransient(error: unknown): boolean {
  const { code, sqlState } = facts(error);
  const state = typeof sqlState === 'string' ? sqlState : code;
  return typeof state === 'string' && (transientCodes.has(state) || transientStates.test(state));
}

// `as`: every property of it is checked before it is used.
const facts = (error: unknown): DriverError =>
  (typeof error === 'object' && error !== null ? error : {}) as DriverError;

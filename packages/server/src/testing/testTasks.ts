import { type Definition, defineTask } from '@millrace/plugin-kit';
import { z } from 'zod';

const words = { title: 'For tests', description: 'For tests', examples: [] };

/** Doors that a task waits at until the test opens them, by name. */
const doors = new Map<string, { arrived: number; open: boolean; waiting: (() => void)[] }>();

function doorOf(name: string) {
  const door = doors.get(name) ?? { arrived: 0, open: false, waiting: [] };
  doors.set(name, door);
  return door;
}

/** Lets every task through that waits, or will wait, at this door. */
export function openDoor(name: string): void {
  const door = doorOf(name);
  door.open = true;
  for (const pass of door.waiting.splice(0)) pass();
}

/** The number of attempts that have arrived at this door. */
export const arrivals = (name: string): number => doorOf(name).arrived;

/** A task with side effects that runs until its door is opened or it is interrupted. */
const waitAtDoor = defineTask({
  ...words,
  type: 'test.Door',
  input: z.object({ door: z.string() }),
  output: z.object({}),
  sideEffects: true,
  run: async (context, { door: name }) => {
    const door = doorOf(name);
    door.arrived++;
    if (door.open) return {};
    await new Promise<void>((resolve, reject) => {
      door.waiting.push(resolve);
      context.signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
    });
    return {};
  },
});

/** The same without side effects, as something that takes long to compute. */
const thinkAtDoor = defineTask({
  ...waitAtDoor,
  type: 'test.Thought',
  sideEffects: false,
  run: async (context, input) => {
    await waitAtDoor.run(context, input);
    await context.log('INFO', 'thought');
    return {};
  },
});

/** A task that runs until its door is opened and ignores every kill. */
const stubborn = defineTask({
  ...words,
  type: 'test.Stubborn',
  input: z.object({ door: z.string() }),
  output: z.object({}),
  sideEffects: true,
  run: async (_, { door: name }) => {
    const door = doorOf(name);
    door.arrived++;
    if (!door.open) await new Promise<void>((resolve) => door.waiting.push(resolve));
    return {};
  },
});

const throwing = defineTask({
  ...words,
  type: 'test.Throw',
  input: z.object({ message: z.string().default('no luck') }),
  output: z.object({}),
  sideEffects: true,
  run: (_, { message }) => {
    throw new Error(message);
  },
});

const strange = defineTask({
  ...words,
  type: 'test.StrangeOutput',
  input: z.object({}),
  output: z.object({ value: z.unknown() }),
  sideEffects: false,
  run: () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    return { value };
  },
});

const chatty = defineTask({
  ...words,
  type: 'test.Chatty',
  input: z.object({ lines: z.coerce.number() }),
  output: z.object({}),
  sideEffects: true,
  run: async (context, { lines }) => {
    for (let line = 0; line < lines; line++) await context.log('INFO', `line ${line}`);
    return {};
  },
});

export const testTasks: readonly Definition[] = [
  waitAtDoor,
  thinkAtDoor,
  stubborn,
  throwing,
  strange,
  chatty,
];

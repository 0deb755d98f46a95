import { describe, expect, it } from 'vitest';
import { GroupCommitter, type Queued } from './groupCommitter.ts';

interface Unit extends Queued {
  readonly name: string;
}

const unit = (name: string, keys: string[] = [], ops = 1): Unit => ({ name, keys, ops });

/** A committer whose groups end when the test resolves them. */
function controlled(options: { maxOps?: number; parallel?: number } = {}) {
  const groups: { names: string; end: (results?: (Error | undefined)[]) => void }[] = [];
  const committed: string[] = [];
  const committer = new GroupCommitter<Unit>({
    maxOps: options.maxOps ?? 100,
    parallel: options.parallel ?? 1,
    run: (units) =>
      new Promise((resolve) => {
        const end = (results = units.map(() => undefined as Error | undefined)) => resolve(results);
        groups.push({ names: units.map(({ name }) => name).join(''), end });
      }),
    committed: (units) => committed.push(...units.map(({ name }) => name)),
  });
  const names = () => groups.map((group) => group.names);
  return { committer, groups, names, committed };
}

describe('group commit', () => {
  it('takes the units of one turn together and lets the next gather while a group is under way', async () => {
    const { committer, groups, names } = controlled();
    const done = [committer.commit(unit('a')), committer.commit(unit('b'))];
    await expect.poll(names).toEqual(['ab']);
    done.push(committer.commit(unit('c')), committer.commit(unit('d')));
    groups[0]?.end();
    await expect.poll(names).toEqual(['ab', 'cd']);
    groups[1]?.end();
    await Promise.all(done);
  });

  it('keeps the order and the size of groups', async () => {
    const { committer, groups, names } = controlled({ maxOps: 3 });
    const sizes: [string, number][] = [
      ['a', 2],
      ['b', 2],
      ['c', 1],
      ['d', 9],
      ['e', 1],
    ];
    const done = sizes.map(([name, ops]) => committer.commit(unit(name, [], ops)));
    for (const [index, expected] of ['a', 'bc', 'd', 'e'].entries()) {
      await expect.poll(() => names()[index]).toBe(expected);
      groups[index]?.end();
    }
    await Promise.all(done);
  });

  it('never has two units of one row under way, and keeps their order', async () => {
    const { committer, groups, names } = controlled({ parallel: 2 });
    const done = [unit('a', ['x']), unit('b', ['x', 'y']), unit('c', ['y']), unit('d', ['z'])].map((each) =>
      committer.commit(each),
    );
    await expect.poll(names).toEqual(['ad']);
    groups[0]?.end();
    await expect.poll(names).toEqual(['ad', 'b']);
    groups[1]?.end();
    await expect.poll(names).toEqual(['ad', 'b', 'c']);
    groups[2]?.end();
    await Promise.all(done);
  });

  it('rejects the refused unit alone and reports the others as committed', async () => {
    const { committer, groups, names, committed } = controlled();
    const results = Promise.allSettled([committer.commit(unit('a')), committer.commit(unit('b'))]);
    await expect.poll(names).toEqual(['ab']);
    groups[0]?.end([new Error('refused'), undefined]);
    expect((await results).map((result) => result.status)).toEqual(['rejected', 'fulfilled']);
    expect(committed).toEqual(['b']);
  });

  it('rejects every unit of a group that failed as a whole, and continues', async () => {
    let broken = true;
    const committer = new GroupCommitter<Unit>({
      maxOps: 100,
      parallel: 1,
      run: async (units) => {
        if (broken) throw new Error('disk full');
        return units.map(() => undefined);
      },
      committed: () => {},
    });
    await expect(committer.commit(unit('a'))).rejects.toThrow('disk full');
    broken = false;
    await committer.commit(unit('b'));
    await committer.drain();
  });
});

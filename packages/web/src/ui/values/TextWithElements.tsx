import { Fragment, type ReactNode } from 'react';

/** A text with one thing in it where the text says `<name/>`: `started <when/>`. Languages put it in different places. */
export function TextWithElements({
  text,
  parts,
}: {
  text: string;
  parts: Readonly<Record<string, ReactNode>>;
}) {
  return text.split(/<(\w+)\/>/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name and stay in order.
    <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>
  ));
}

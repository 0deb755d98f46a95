import { z } from 'zod';
import { parseMeta } from './parseMeta.ts';
import type { TextFile } from './textFiles.ts';

const PostMeta = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  publicationDate: z.iso.datetime(),
  /** The path of an SVG next to the post. */
  image: z.string().optional(),
  href: z.url().optional(),
});

export interface Post extends z.infer<typeof PostMeta> {
  /** Markdown. */
  readonly description: string;
}

/** The posts, newest first. Their images are small, so they travel inside. */
export function toPosts(files: readonly TextFile[], images: readonly TextFile[]): Post[] {
  const imageOf = new Map(images.map(({ path, text }) => [path, toDataUri(text)]));
  const posts = files.map((file): Post => {
    const { meta, body } = parseMeta(PostMeta, file);
    const { image: path, ...words } = meta;
    const image = path === undefined ? undefined : imageOf.get(path);
    if (path !== undefined && image === undefined)
      throw new Error(`${file.path}: there is no image "${path}"`);
    return { ...words, ...(image === undefined ? {} : { image }), description: body };
  });
  return posts.sort((a, b) => Date.parse(b.publicationDate) - Date.parse(a.publicationDate));
}

function toDataUri(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

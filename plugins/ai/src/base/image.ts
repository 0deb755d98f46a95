import type { TaskContext } from '@millrace/plugin-kit';
import type { GeneratedImage } from './modelProvider.ts';

/** The address of an image; bytes are stored as a file first. */
export async function storeImage(context: TaskContext, image: GeneratedImage): Promise<string> {
  if ('url' in image) return image.url;
  const extension = image.mediaType.split('/')[1]?.replace('jpeg', 'jpg') ?? 'png';
  return context.files.put(`image.${extension}`, Buffer.from(image.base64, 'base64'));
}

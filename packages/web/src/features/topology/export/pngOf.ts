/** Browsers refuse larger canvases; a larger graph is drawn smaller. */
const MAX_SIDE_PX = 12_000;
const MAX_AREA_PX = 80_000_000;

/** The picture at twice its size, as far as a canvas can hold that. */
export async function pngOf(picture: { svg: string; width: number; height: number }): Promise<Blob> {
  const { svg, width, height } = picture;
  const scale = Math.min(2, MAX_SIDE_PX / Math.max(width, height), Math.sqrt(MAX_AREA_PX / (width * height)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error('The browser could not draw the picture.')),
    );
  });
}

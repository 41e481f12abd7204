// A drawing as a file: the server's own SVG, or its pixels.

/** Pixels of a PNG for each of the drawing: for a paper. */
const SCALE = 3;

export type PictureKind = 'svg' | 'png';

export async function pictureOf(svg: string, kind: PictureKind): Promise<Blob> {
  const drawn = new Blob([svg], { type: 'image/svg+xml' });
  return kind === 'svg' ? drawn : pixelsOf(drawn);
}

/** On white. */
async function pixelsOf(svg: Blob): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    const paper = canvas.getContext('2d');
    if (!paper) throw new Error('no canvas');
    paper.fillStyle = '#fff';
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((made) => (made ? resolve(made) : reject(new Error('no picture'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

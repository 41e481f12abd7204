// A chosen file on its way to the server: its name, and its bytes in base64.

/** As much as the server takes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface ChosenFile {
  imeFajla: string;
  sadrzaj: string;
}

export async function readFile(file: File): Promise<ChosenFile> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('the file cannot be read', { cause: reader.error }));
    reader.readAsDataURL(file);
  });
  return { imeFajla: file.name, sadrzaj: address.slice(address.indexOf(',') + 1) };
}

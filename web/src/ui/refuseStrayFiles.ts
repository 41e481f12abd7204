// A browser opens a file that is dropped where nobody takes it: in place of the page, and of what was typed there.

/** What takes files by itself. */
const takesFiles = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type === 'file';

/** To be called once; whoever takes a dropped file prevents the event before it comes here. */
export function refuseStrayFiles(page: Window = window): () => void {
  const refuse = (event: DragEvent) => {
    const carried = event.dataTransfer;
    if (event.defaultPrevented || takesFiles(event.target) || !carried?.types.includes('Files')) return;
    event.preventDefault();
    carried.dropEffect = 'none';
  };
  page.addEventListener('dragover', refuse);
  page.addEventListener('drop', refuse);
  return () => {
    page.removeEventListener('dragover', refuse);
    page.removeEventListener('drop', refuse);
  };
}

// "Štampaj": the saved entry as a PDF in a tab of its own, ready for the printer.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { saveFile, type Download } from '../api/client';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';
import { printEntry } from './print';
import type { EntryStore } from './store';

const text = t.entries;

/** Opened while the click still counts as one: later the browser would block it. None where PDFs are not shown by the browser. */
function openTab(): Window | null {
  if (!navigator.pdfViewerEnabled) return null;
  const tab = window.open('', '_blank');
  if (tab) {
    tab.document.title = text.printing;
    tab.document.body.textContent = text.printing;
  }
  return tab;
}

/** The address lives as long as this page, so that the tab can be loaded anew. */
function show(tab: Window | null, pdf: Download): void {
  if (tab) tab.location.replace(URL.createObjectURL(pdf.content));
  else saveFile(pdf);
}

export function PrintButton({ unosID, store, disabled }: { unosID: number; store: EntryStore; disabled: boolean }) {
  const [printing, setPrinting] = useState(false);
  const confirm = useConfirm();
  const toast = useToast();

  async function print() {
    // What is not saved is not printed, and nothing is saved that nobody asked to save.
    const question = { title: text.printTitle, message: text.printSaved, accept: text.printSavedAccept, reject: t.common.cancel };
    if (store.isDirty() && !(await confirm(question))) return;
    const tab = openTab();
    setPrinting(true);
    try {
      const pdf = await printEntry(unosID, () => !tab?.closed);
      if (pdf) show(tab?.closed ? null : tab, pdf);
    } catch (error) {
      tab?.close();
      toast.failure(text.printFailed, error);
    } finally {
      setPrinting(false);
    }
  }

  return <Button label={text.print} icon="pi pi-print" outlined disabled={disabled || printing} loading={printing} onClick={() => void print()} />;
}

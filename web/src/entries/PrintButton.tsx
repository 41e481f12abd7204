// "Štampaj": the saved entry as a PDF in a tab of its own, ready for the printer.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { openTab, showPdf } from '../ui/pdfTab';
import { useToast } from '../ui/toast';
import { printed } from '../api/prints';
import type { EntryStore } from './model/store';

const text = t.entries;

export function PrintButton({ unosID, store, disabled }: { unosID: number; store: EntryStore; disabled: boolean }) {
  const [printing, setPrinting] = useState(false);
  const confirm = useConfirm();
  const toast = useToast();

  async function print() {
    // What is not saved is not printed, and nothing is saved that nobody asked to save.
    const question = { title: text.printTitle, message: text.printSaved, accept: text.printSavedAccept };
    if (store.isDirty() && !(await confirm(question))) return;
    const tab = openTab(text.printing);
    setPrinting(true);
    try {
      const pdf = await printed({ unosID }, () => !tab?.closed);
      if (pdf) showPdf(tab, pdf);
    } catch (error) {
      tab?.close();
      toast.failure(text.printFailed, error);
    } finally {
      setPrinting(false);
    }
  }

  return (
    <Button
      label={text.print}
      icon="pi pi-print"
      outlined
      disabled={disabled || printing}
      loading={printing}
      onClick={() => void print()}
    />
  );
}

// A PDF in a tab of its own, as the browser shows it.
import { saveFile, type Download } from '../api/client';

/** Opened while the click still counts as one: later the browser would block it. None where PDFs are not shown by the browser. */
export function openTab(waiting: string): Window | null {
  if (!navigator.pdfViewerEnabled) return null;
  const tab = window.open('', '_blank');
  if (tab) {
    tab.document.title = waiting;
    tab.document.body.textContent = waiting;
  }
  return tab;
}

/** The address lives as long as this page, so that the tab can be loaded anew. Without a tab the file is saved. */
export function showPdf(tab: Window | null, pdf: Download): void {
  if (tab && !tab.closed) tab.location.replace(URL.createObjectURL(pdf.content));
  else saveFile(pdf);
}

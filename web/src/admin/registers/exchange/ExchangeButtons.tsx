// Beside a list of registers or forms: the chosen one as a file or as a copy, and another one from a file.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { at } from '../../../api/address';
import { api } from '../../../api/client';
import { t } from '../../../messages';
import { GuideButton } from '../../../ui/GuideButton';
import { useToast } from '../../../ui/toast';
import { importAddress } from '../operation';
import { CopyDialog } from './CopyDialog';

const text = t.exchange;

interface Props {
  path: '/api/registers' | '/api/forms';
  chosen: { id: number; naziv: string } | null;
  code: string | null;
  /** Of the forms. */
  register?: number;
}

export function ExchangeButtons({ path, chosen, code, register }: Props) {
  const navigate = useNavigate();
  const toast = useToast();
  const [copying, setCopying] = useState(false);
  const needsRow = { disabled: !chosen, title: chosen ? undefined : t.crud.selectFirst };
  const save = (query: { oblik?: string }) =>
    chosen &&
    void api
      .download(at(`${path}/{id}/definition`, { id: chosen.id, ...query }))
      .catch((error: unknown) => toast.failure(text.exportFailed, error));
  return (
    <>
      <Button label={text.copy} icon="pi pi-copy" outlined onClick={() => setCopying(true)} {...needsRow} />
      <Button label={text.exportFile} icon="pi pi-download" outlined onClick={() => save({})} {...needsRow} />
      {register !== undefined && (
        <>
          <Button label={text.exportFhir} icon="pi pi-download" outlined onClick={() => save({ oblik: 'fhir' })} {...needsRow} />
          <Button
            label={text.exportBlank}
            icon="pi pi-file-excel"
            outlined
            onClick={() => save({ oblik: 'xlsx' })}
            disabled={!chosen}
            title={chosen ? text.exportBlankHelp : t.crud.selectFirst}
          />
          <Button
            label={text.exportBlankPdf}
            icon="pi pi-file-pdf"
            outlined
            onClick={() => save({ oblik: 'pdf' })}
            disabled={!chosen}
            title={chosen ? text.exportBlankPdfHelp : t.crud.selectFirst}
          />
          <Button
            label={text.exportCodebook}
            icon="pi pi-file-pdf"
            outlined
            onClick={() => save({ oblik: 'sifarnik' })}
            disabled={!chosen}
            title={chosen ? text.exportCodebookHelp : t.crud.selectFirst}
          />
          <GuideButton page="paper" />
        </>
      )}
      <Button label={text.importFile} icon="pi pi-upload" outlined onClick={() => void navigate(importAddress(register))} />
      {copying && chosen && <CopyDialog path={path} of={chosen} code={code} onClose={() => setCopying(false)} />}
    </>
  );
}

// Orders a recomputation beside the versions of a form; where signed entries are among the marked ones, with the choice whether signatures end.
import { useState } from 'react';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useWorker } from '../../api/session';
import { mayOpen, Right } from '../../auth/rights';
import { t } from '../../messages';
import { DeedDialog } from '../../ui/DeedDialog';
import { SIGNATURES_STAY, SignatureChoice, signatureFault } from './SignatureChoice';
import style from './registers.module.css';

const text = t.recomputation;

interface Props {
  form: number;
  /** Entries with results that today's formulas give otherwise, and those of them that are signed. */
  marked: number;
  signed: number;
  onDone: () => Promise<void>;
  onClose: () => void;
}

export function RecomputeDialog({ form, marked, signed, onDone, onClose }: Props) {
  const { prava } = useWorker();
  const [signatures, setSignatures] = useState(SIGNATURES_STAY);
  return (
    <DeedDialog
      title={text.title}
      accept={text.recompute}
      className={style.dialog}
      formClassName={style.dialogForm}
      missing={() => signatureFault(signatures)}
      deed={async () => {
        await api.post(at('/api/forms/{id}/recomputations', { id: form }), signatures);
        await onDone();
      }}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <p>{text.question(marked)}</p>
          <SignatureChoice
            count={signed}
            chosen={signatures}
            mayEnd={mayOpen(prava, [Right.EntryLocking])}
            fault={signatures.zavrsiPotpise ? fault : null}
            onChoose={setSignatures}
          />
          {fault !== null && !signatures.zavrsiPotpise && <p role="alert">{fault}</p>}
        </>
      )}
    </DeedDialog>
  );
}

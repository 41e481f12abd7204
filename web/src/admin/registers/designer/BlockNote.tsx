// Of a field that was taken from the library: which block and edition it is, and a newer edition with what it would change.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState } from 'react';
import { at } from '../../../api/address';
import { api } from '../../../api/client';
import { useApi } from '../../../api/hooks';
import { t } from '../../../messages';
import { useToast } from '../../../ui/toast';
import { asBlock, blockChanges, editionOf, typeChanges, updateBlock, type Block } from './blocks';
import style from './blocks.module.css';
import type { Change, DraftField, FormDocument } from './model';
import { propertyName } from './names';

const text = t.blocks;

interface Props {
  document: FormDocument;
  field: DraftField;
  onChange: Change;
}

export function BlockNote({ document, field, onChange }: Props) {
  const edition = editionOf(field);
  const { data } = useApi(edition ? '/api/blocks' : null);
  const [offered, setOffered] = useState<Block | null>(null);
  const toast = useToast();
  if (!edition) return null;
  const newest = data?.find(({ sifra }) => sifra === edition.sifra);
  const isOld = newest !== undefined && newest.izdanje > edition.izdanje;

  async function offer() {
    try {
      setOffered(asBlock(await api.get(at('/api/blocks/{sifra}', { sifra: edition?.sifra ?? '' }))));
    } catch (failure) {
      toast.failure(text.takeFailed(newest?.naziv ?? ''), failure);
    }
  }
  const after = offered && updateBlock(document, field.id, offered);
  const changes = after ? blockChanges(document, after) : [];
  const types = after ? typeChanges(document, after) : 0;
  return (
    <div className={style.note}>
      <span>{text.of(newest?.naziv ?? edition.sifra, edition.izdanje)}</span>
      {isOld && <Button type="button" label={text.newer(newest.izdanje)} icon="pi pi-refresh" size="small" onClick={() => void offer()} />}
      {offered && (
        <Dialog
          visible
          header={text.updateTitle(offered.blok.naziv, offered.blok.izdanje)}
          className={style.dialog}
          onHide={() => setOffered(null)}
          footer={
            <>
              <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={() => setOffered(null)} />
              <Button
                type="button"
                label={text.update}
                icon="pi pi-check"
                onClick={() => {
                  onChange((latest) => updateBlock(latest, field.id, offered), null);
                  setOffered(null);
                }}
              />
            </>
          }
        >
          <p className={style.help}>{text.updateHelp}</p>
          {changes.length === 0 && types === 0 && <p>{text.nothing}</p>}
          <ul className={style.list}>
            {changes.map(({ id, naziv, svojstva }) => (
              <li key={id}>
                <strong>{naziv}</strong>
                <span>{svojstva.length === 0 ? text.isNew : svojstva.map((name) => propertyName('polje', name) ?? name).join(', ')}</span>
              </li>
            ))}
            {types > 0 && <li>{text.types(types)}</li>}
          </ul>
        </Dialog>
      )}
    </div>
  );
}

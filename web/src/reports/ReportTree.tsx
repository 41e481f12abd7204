// The tree of categories, types and reports; choosing a leaf opens it.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { Tree } from 'primereact/tree';
import type { TreeNode } from 'primereact/treenode';
import { useId, useMemo } from 'react';
import type { Schema } from '../schema';
import { useList } from '../api/hooks';
import { t } from '../messages';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './reports.module.css';

interface Props {
  chosen: number | null;
  choose: (report: number | null) => void;
}

const leafKey = (id: number) => `izvestaj-${id}`;

function nodesOf(branches: readonly Schema<'ReportTreeCategory'>[]): TreeNode[] {
  return branches.map((category) => ({
    key: `kategorija-${category.id}`,
    label: category.naziv,
    selectable: false,
    icon: 'pi pi-folder',
    children: category.tipovi.map((type) => ({
      key: `tip-${type.id}`,
      label: type.naziv,
      selectable: false,
      children: type.izvestaji.map((report) => ({
        key: leafKey(report.id),
        label: report.naziv,
        data: report.id,
        icon: 'pi pi-chart-bar',
        leaf: true,
      })),
    })),
  }));
}

const allOpen = (nodes: readonly TreeNode[]): Record<string, boolean> =>
  Object.fromEntries(
    nodes.flatMap((node) => (node.children ? [[String(node.key), true] as const, ...Object.entries(allOpen(node.children))] : [])),
  );

/** On a wide screen a tree, on a narrow one a list to pick from. */
export function ReportTree({ chosen, choose }: Props) {
  const { data, error, mutate } = useList('/api/report-categories/tree');
  const picker = useId();
  const nodes = useMemo(() => nodesOf(data?.data ?? []), [data]);
  const open = useMemo(() => allOpen(nodes), [nodes]);
  const reports = (data?.data ?? []).flatMap((category) =>
    category.tipovi.map((type) => ({
      label: type.naziv,
      items: type.izvestaji.map(({ id, naziv }) => ({ value: id, label: naziv })),
    })),
  );

  return (
    <Panel title={t.reports.tree} flush>
      {error && !data ? (
        <LoadFailed title={t.reports.treeFailed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={6} />
      ) : (
        <div className={style.tree}>
          <Button
            label={t.reports.mine}
            icon="pi pi-history"
            text
            className={style.mine}
            aria-current={chosen === null ? 'page' : undefined}
            onClick={() => choose(null)}
          />
          <div className={style.wide}>
            <Tree
              // Opened once the nodes are there; from then on the reader opens and closes.
              key={nodes.length}
              value={nodes}
              expandedKeys={open}
              selectionMode="single"
              selectionKeys={chosen ? leafKey(chosen) : null}
              onNodeClick={({ node }) => {
                if (typeof node.data === 'number') choose(node.data);
              }}
              filter
              filterPlaceholder={t.reports.treeFilter}
              emptyMessage={<EmptyState title={t.reports.treeEmpty} />}
              aria-label={t.reports.tree}
            />
          </div>
          <div className={style.narrow}>
            <label htmlFor={picker} className="sr-only">
              {t.reports.choose}
            </label>
            <Dropdown
              inputId={picker}
              value={chosen}
              options={reports}
              optionGroupLabel="label"
              optionGroupChildren="items"
              placeholder={t.reports.choose}
              emptyMessage={t.reports.treeEmpty}
              filter
              onChange={({ value }: { value: number }) => choose(value)}
            />
          </div>
        </div>
      )}
    </Panel>
  );
}

-- A data set may hold finished entries only, or signed ones.
alter table data_export add stanja text not null default 'svi'
    constraint data_export_stanja_known check (stanja in ('svi', 'zavrseni', 'potpisani'));

-- What a form's designer keeps beside a field: entries and versions never show it.
alter table form_field add column napomena_dizajnera text;

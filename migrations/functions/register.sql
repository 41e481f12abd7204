-- What form fields hold, by the names that domain/src/register has for it.

-- The number of a value type. A name that is none is an error, where a wrong number would be an empty answer.
create or replace function type_number(naziv text) returns smallint language plpgsql immutable strict parallel safe as $$
begin
    case naziv
        when 'izborni' then return 1;
        when 'brojni' then return 2;
        when 'tekstualni' then return 3;
        when 'skupovni' then return 4;
        when 'datumski' then return 5;
        when 'naslov' then return 6;
        when 'separator' then return 7;
        when 'panel' then return 8;
        when 'slikovni' then return 9;
        when 'tab' then return 11;
        when 'grafik' then return 12;
        when 'fajl' then return 13;
        when 'vreme' then return 14;
        when 'datumvreme' then return 15;
    end case;
end
$$;

-- Whether a field of it has a value in an entry; the others arrange the screen.
create or replace function holds_value(tip smallint) returns boolean language sql immutable parallel safe as $$
    select tip in (type_number('izborni'), type_number('brojni'), type_number('tekstualni'), type_number('skupovni'), type_number('datumski'),
        type_number('fajl'), type_number('vreme'), type_number('datumvreme'))
$$;

-- Whether its values are found as numbers (value_num); texts are found as words (value_text).
create or replace function projects_number(tip smallint) returns boolean language sql immutable parallel safe as $$
    select tip in (type_number('izborni'), type_number('brojni'), type_number('skupovni'), type_number('datumski'), type_number('vreme'),
        type_number('datumvreme'))
$$;

revoke execute on function type_number, holds_value, projects_number from public;
grant execute on function type_number, holds_value, projects_number to regix_app;
-- By a view: what such a function calls in its turn is looked up by name, and reports see no name of this schema.
grant execute on function type_number to regix_report_anonymous, regix_report_unnamed;

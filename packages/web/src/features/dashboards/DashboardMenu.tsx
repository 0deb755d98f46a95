import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { dashboards } from '@millrace/contract';
import { IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { confirm, WarningIcon } from '../../ui/index.ts';
import { LinkMenuItem } from '../../ui/LinkMenuItem.tsx';
import { dashboardsQuery } from './queries.ts';

const searchableFrom = 10;

/** The dashboards to choose from, and the way to a new one. */
export function DashboardMenu({ current }: { current: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { data } = useQuery(dashboardsQuery());
  const deletion = useMutation({
    mutationFn: (id: string) => call(dashboards.deleteDashboard, { params: { id } }),
    onSuccess: async (_, id) => {
      showSuccess(t('dashboard.deleted'));
      await client.invalidateQueries({ queryKey: ['dashboards'] });
      if (id === current) {
        await navigate({ to: '/{-$tenant}/dashboards/{-$id}', params: { id: undefined }, search: {} });
      }
    },
  });
  const remove = async (id: string, title: string) => {
    const agreed = await confirm({
      title: t('dashboard.delete', { title }),
      body: t('dashboard.deleteText'),
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) deletion.mutate(id);
  };
  const all = data?.results ?? [];
  const found = all.filter(({ title }) => title.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={15} />}>
          {t('nav.dashboards')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <LinkMenuItem to="/{-$tenant}/dashboards/new" search={{}} leftSection={<IconPlus size={15} />}>
          {t('dashboard.create')}
        </LinkMenuItem>
        <Menu.Divider />
        {all.length >= searchableFrom && (
          <TextInput
            size="xs"
            m={6}
            placeholder={t('filter.find')}
            aria-label={t('filter.find')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <LinkMenuItem to="/{-$tenant}/dashboards/{-$id}" params={{ id: undefined }} search={{}}>
          {t('dashboard.default')}
        </LinkMenuItem>
        {found.map(({ id, title, exception }) => (
          <div key={id} style={{ display: 'flex', alignItems: 'center' }}>
            <LinkMenuItem
              to="/{-$tenant}/dashboards/{-$id}"
              params={{ id }}
              search={{}}
              style={{ flex: 1, minWidth: 0 }}
              rightSection={exception === undefined ? undefined : <WarningIcon label={exception} />}
            >
              {title}
            </LinkMenuItem>
            <ActionIcon
              size={26}
              aria-label={t('dashboard.delete', { title })}
              onClick={() => void remove(id, title)}
            >
              <IconTrash size={15} stroke={1.7} />
            </ActionIcon>
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

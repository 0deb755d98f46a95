import type { Flow } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DateAgo, Fact } from '../../../ui/index.ts';
import { ofFlow } from '../../listing/index.ts';
import { triggersQuery } from '../../triggers/index.ts';

/** When a flow starts by itself next; nothing while no trigger knows. */
export function FiresNext({ flow: { namespace, id } }: { flow: Flow }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...triggersQuery({ ...ofFlow({ namespace, flowId: id }), size: 100 }),
    refetchInterval: 10_000,
  });
  const next = data?.results
    .filter(({ triggerContext }) => !triggerContext.disabled)
    .flatMap(({ triggerContext }) => triggerContext.nextExecutionDate ?? [])
    .toSorted()[0];
  if (!next) return null;
  return (
    <Fact name={t('flow.firesNext')}>
      <DateAgo value={next} />
    </Fact>
  );
}

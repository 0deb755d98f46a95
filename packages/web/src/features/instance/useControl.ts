import { useMutation, useQueryClient } from '@tanstack/react-query';
import { maintenanceKey } from '../../shell/maintenance/maintenanceQuery.ts';
import { showError } from '../../shell/toasts.ts';

/** An action of an operator; afterwards the page and the banner are read again. */
export function useControl<T>(act: (input: T) => Promise<unknown>, onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      onDone?.();
      await Promise.all([
        client.invalidateQueries({ queryKey: ['instance'] }),
        client.invalidateQueries({ queryKey: maintenanceKey }),
      ]);
    },
    onError: showError,
  });
}

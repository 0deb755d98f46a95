import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const pauseMs = 300;

interface SearchInputProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  placeholder: string;
}

/** A text filter that waits for a pause in the typing. The value outside wins when it changes by itself. */
export function SearchInput({ value = '', onChange, placeholder }: SearchInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = (next: string) => {
    clearTimeout(timer.current);
    setKnown(next);
    onChange(next || undefined);
  };
  const type = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(next), pauseMs);
  };
  return (
    <TextInput
      type="search"
      w={210}
      placeholder={placeholder}
      aria-label={placeholder}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(typed);
        if (event.key === 'Escape' && typed) apply('');
      }}
      leftSection={<IconSearch size={15} stroke={1.7} />}
      rightSection={
        typed ? (
          <CloseButton
            size="sm"
            onClick={() => {
              setTyped('');
              apply('');
            }}
            aria-label={t('filter.clearText')}
          />
        ) : null
      }
    />
  );
}

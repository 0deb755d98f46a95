import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Props = ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>;

/** A button that is a link: it has an address, opens in a new tab, and its target is type-checked. */
export const LinkButton = createLink((props: Props) => <Button component="a" {...props} />);

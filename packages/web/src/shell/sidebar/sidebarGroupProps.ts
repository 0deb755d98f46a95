import type { ComponentType, ReactNode } from 'react';

export interface SidebarGroupProps {
  label: string;
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  /** A page of the group is open. */
  isActive: boolean;
  isCollapsed: boolean;
  children: ReactNode;
}

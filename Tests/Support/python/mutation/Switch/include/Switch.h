#pragma once

/// The number of the change that this process runs with, from LENKER_CHANGE; 0 for none.
int chosen_change(void);

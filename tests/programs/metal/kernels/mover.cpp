// A data-movement kernel that does nothing.
void kernel_main()
{
}

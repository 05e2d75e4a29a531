"""A kernel that adds the first <length> numbers of a row for each work-item, rows of <width>: row_kernel.py <length> <width>."""
import sys

length, width = int(sys.argv[1]), int(sys.argv[2])
print("declare i64 @__falx_global_id_x()")
print('define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {')
print("  %id = call i64 @__falx_global_id_x()\n  %data = load ptr, ptr %f")
print(f"  %row = mul i64 %id, {width}\n  %at = getelementptr float, ptr %data, i64 %row\n  %sum0 = load float, ptr %at")
for number in range(1, length):
    print(f"  %at{number} = getelementptr i8, ptr %at, i64 {4 * number}\n  %x{number} = load float, ptr %at{number}")
    print(f"  %sum{number} = fadd float %sum{number - 1}, %x{number}")
print(f"  %to = getelementptr float, ptr %data, i64 %id\n  store float %sum{length - 1}, ptr %to\n  ret void\n}}")
